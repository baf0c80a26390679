"""Scripts that draw pictures of the book as SVG: black is ink and takes the colour of the theme (finish_pages.py)."""
