// What scrolls sideways can be reached by the tab key, and then moved by the arrows: code, tables, formulas and pictures that are too wide.
"use strict";
(function () {
  function mark() {
    document.querySelectorAll(".fragment, .wide, .formula, .MathJax_SVG_Display, .image, .formulaDsp, table, tbody").forEach(function (one) {
      var scrolls = one.scrollWidth > one.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(one).overflowX);
      if (scrolls) one.tabIndex = 0;
      else one.removeAttribute("tabindex");
    });
  }
  window.addEventListener("load", function () {
    mark();
    if (window.MathJax) MathJax.Hub.Register.MessageHook("End Process", mark);
  });
  window.addEventListener("resize", mark);
})();
