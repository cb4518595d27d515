"""The steps after the gate: published Neurons → pages with addresses, links, HTML, sections and chunks."""
