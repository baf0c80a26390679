// What scrolls sideways can be reached by the tab key, and then moved by the arrows: code, tables, formulas, pictures.
"use strict";
(function () {
  var places = ".fragment, .wide, .formula, .formulaDsp, .MathJax_SVG_Display, .scrolled, table, tbody";
  var waiting;

  function mark() {
    document.querySelectorAll(places).forEach(function (one) {
      var scrolls = one.scrollWidth > one.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(one).overflowX);
      if (scrolls) one.tabIndex = 0;
      else one.removeAttribute("tabindex");
    });
  }

  // Formulas are typeset one by one, and each would have all places measured.
  function soon() {
    clearTimeout(waiting);
    waiting = setTimeout(mark, 50);
  }

  // A map with links begins in its middle, where its first box stands.
  function center() {
    document.querySelectorAll(".scrolled").forEach(function (one) {
      if (one.querySelector("svg[role=group]")) one.scrollLeft = (one.scrollWidth - one.clientWidth) / 2;
    });
  }

  window.addEventListener("load", function () {
    mark();
    center();
    if (window.MathJax) MathJax.Hub.Register.MessageHook("End Process", soon);
  });
  window.addEventListener("resize", soon);
})();
