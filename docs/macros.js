// The LaTeX commands of the chapters and of the ledger. Formulas of the ledger, the errata and the concordances stand on the left.
// There they may break, and on a narrow window everywhere.
var listing = /ledger|errata|concordance/.test(window.location.pathname);
MathJax.Hub.Config({
  showMathMenu: false,
  messageStyle: "none",
  displayAlign: listing ? "left" : "center",
  displayIndent: "0em",
  SVG: { linebreaks: { automatic: listing || window.innerWidth < 600 }, scale: 90 },
  TeX: {
    Macros: {
      Ad: "\\operatorname{Ad}",
      ad: "\\operatorname{ad}",
      SE: "\\mathrm{SE}",
      SO: "\\mathrm{SO}",
      se: "\\mathfrak{se}",
      so: "\\mathfrak{so}",
      T: "\\mathsf{T}"
    }
  }
});
