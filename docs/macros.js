// The LaTeX commands of the chapters and of the ledger. Formulas of the ledger and the errata stand on the left, and may break.
var listing = /ledger|errata/.test(window.location.pathname);
MathJax.Hub.Config({
  showMathMenu: false,
  messageStyle: "none",
  displayAlign: listing ? "left" : "center",
  displayIndent: "0em",
  SVG: { linebreaks: { automatic: listing }, scale: 90 },
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
