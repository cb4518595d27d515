"""Content files → published files: the content must match the ending, and invisible data are removed.

publish         the only entry point: a file → the published bytes
kinds           the first bytes of files, by ending
png, jpeg, …    pictures, copied part by part without their metadata
                each yields the visible `parts` of its kind, and raises `RefusedError` for a damaged file
svg, css        vector pictures, rewritten from the parts on an allow-list
"""
