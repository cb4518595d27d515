"""What happens to a ranked list after the legs."""
