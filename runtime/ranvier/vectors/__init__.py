"""Search by meaning: the words of a query → a vector → the chunks nearest to it, in integers only."""
