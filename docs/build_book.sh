#!/usr/bin/env bash
# Builds the book under BUILD_DIR/book: ledger by the command line tool, pages by make_pages.py, HTML by Doxygen, then checks it.
# The last line on standard output is the path of its first page.
set -euo pipefail

if [ $# -ne 1 ] || [ ! -d "$1" ]; then
  echo "usage: build_book.sh BUILD_DIR" >&2
  exit 2
fi
source=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd)
book=$build/book
theme=${DOXYGEN_AWESOME_DIR:-/usr/share/doxygen-awesome-css}
mathjax=${MATHJAX_DIR:-/usr/share/javascript/mathjax}

python3 "$source/validation/book/faces.py" "$source"
python3 "$source/validation/book/citations.py" "$source"
python3 "$source/validation/book/quoted.py" "$source" >&2

# Measure the ledger, unless it has been measured since the tool was built; .ci/run has done so.
prover=$build/bin/articulate-verify
json=$book/verify.json
mkdir -p "$book"
if [ ! -s "$json" ] || [ "$prover" -nt "$json" ]; then
  [ -x "$prover" ] || { echo "book: $prover is missing, build it first" >&2; exit 1; }
  echo "book: measuring the ledger" >&2
  "$prover" verify --json "$json" >&2 || echo "book: verify did not succeed, the ledger shows what failed" >&2
fi

echo "book: drawing the pictures and writing the pages" >&2
cd "$book"
rm -rf html pages fragments pictures header.html footer.html stylesheet.css
mkdir -p pages fragments pictures "$build/figures" "$build/notebooks"
python3 "$source/docs/pictures/conventions.py" pictures
python3 "$source/docs/pictures/derivations.py" pictures
# What the notebooks and the scripts of docs/figures drew; the names are shared by all chapters.
find "$build/figures" "$build/notebooks" -name '*.svg' | while read -r figure; do
  [ ! -e "pictures/${figure##*/}" ] || { echo "book: two figures have the name ${figure##*/}" >&2; exit 1; }
  cp "$figure" pictures/
done
python3 "$source/docs/make_pages.py" "$source" verify.json .
/usr/bin/python3 "$source/docs/exercise_pages.py" "$source" .  # with numpy

echo "book: running Doxygen" >&2
ln -sfn "$source/chapters" chapters
ln -sfn "$source/src" src
ln -sfn "$source/docs" docs
ln -sfn "$source/validation" validation
ln -sfn "$theme" theme
doxygen -w html header.html footer.html stylesheet.css
sed -i "/extrastylesheet/r docs/head.html" header.html
doxygen docs/Doxyfile >&2
python3 "$source/docs/finish_pages.py" html pictures

# The notebooks as pages, and only the parts of MathJax that the book loads: TeX in, SVG out.
mkdir -p html/notebooks html/mathjax/jax/input html/mathjax/jax/output/SVG/fonts
find "$build/notebooks" -maxdepth 1 -name '*.html' -exec cp -t html/notebooks {} +
cp -L "$mathjax/MathJax.js" html/mathjax/
cp -rL "$mathjax/extensions" html/mathjax/
cp -rL "$mathjax/jax/element" html/mathjax/jax/
cp -rL "$mathjax/jax/input/TeX" html/mathjax/jax/input/
cp -rL "$mathjax"/jax/output/SVG/*.js "$mathjax/jax/output/SVG/autoload" html/mathjax/jax/output/SVG/
cp -rL "$mathjax/jax/output/SVG/fonts/TeX" html/mathjax/jax/output/SVG/fonts/

echo "book: checking the links" >&2
python3 "$source/validation/book/links.py" html >&2
python3 "$source/validation/book/rows.py" html "$json" >&2
python3 "$source/validation/book/counts.py" "$source/README.md" "$json" >&2

echo "$book/html/index.html"
