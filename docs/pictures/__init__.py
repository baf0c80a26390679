"""Scripts that draw the pictures of the book as SVG: black is ink and takes the colour of the theme, see docs/finish_pages.py."""
