"""What a content file is as a published file: checked against its ending, and without what nobody sees in it.

publish         the one door: a file → the bytes that are published
kinds           what a file of each ending begins with
png, jpeg, …    pictures, copied piece by piece without their metadata
svg, css        vector pictures, written anew from what an allow-list lets through
"""
