"""Files → Neurons."""
