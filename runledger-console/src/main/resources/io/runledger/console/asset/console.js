// What the pages add to themselves where scripts run: live parts, times in the viewer's zone, the theme, and copying.
// Everything can also be read without it.
(function () {
  "use strict";
  var root = document.documentElement;

  // The theme: that of the system until the viewer chooses one.
  function storedTheme() { try { return localStorage.getItem("runledger-theme"); } catch (e) { return null; } }
  function apply(theme) { if (theme) { root.setAttribute("data-theme", theme); } else { root.removeAttribute("data-theme"); } }
  apply(storedTheme());

  // Times in the zone of the viewer.
  function localTimes(scope) {
    scope.querySelectorAll("time[datetime]").forEach(function (time) {
      var at = new Date(time.getAttribute("datetime"));
      if (isNaN(at)) { return; }
      var local = at.toLocaleString();
      if (time.classList.contains("exact")) {
        if (at.getTimezoneOffset() !== 0 && !time.querySelector(".local")) {
          var shown = document.createElement("span");
          shown.className = "local";
          shown.textContent = " (" + local + " here)";
          time.appendChild(shown);
        }
      } else {
        time.setAttribute("title", local + " · " + time.getAttribute("datetime"));
      }
    });
  }

  // Live parts: the server says that something has changed, and each part loads itself again. A hidden page waits.
  var source = null;
  var address = null;
  var isStale = false;
  var isQueued = false;
  function changed() {
    if (document.hidden) { isStale = true; return; }
    if (isQueued) { return; }
    isQueued = true;
    setTimeout(function () {
      isQueued = false;
      document.body.dispatchEvent(new CustomEvent("ledger:change"));
    }, 50);
  }
  function connected(isConnected) {
    document.body.classList.toggle("offline", !isConnected);
  }
  function listen() {
    if (!address || source || document.hidden || !window.EventSource) { return; }
    var wasLost = false;
    source = new EventSource(address);
    source.addEventListener("change", changed);
    source.addEventListener("open", function () {
      connected(true);
      if (wasLost || isStale) { isStale = false; wasLost = false; changed(); }
    });
    source.addEventListener("error", function () {
      wasLost = true;
      connected(false);
      // A refusal ends the source for good: try again later.
      if (source && source.readyState === EventSource.CLOSED) { source = null; setTimeout(listen, 10000); }
    });
  }
  function rest() { if (source) { source.close(); source = null; isStale = true; } }

  document.addEventListener("visibilitychange", function () { if (document.hidden) { rest(); } else { listen(); } });
  window.addEventListener("pagehide", rest);
  window.addEventListener("pageshow", function () { if (address) { listen(); } });

  // A part that is replaced stays scrolled as it was.
  var scrolled = null;
  function scrollers(part) { return part ? part.querySelectorAll(".scroll, .picture, pre") : []; }
  document.addEventListener("htmx:beforeSwap", function (event) {
    scrolled = { part: event.detail.target.id, at: [] };
    scrollers(event.detail.target).forEach(function (box) { scrolled.at.push([box.scrollLeft, box.scrollTop]); });
  });
  document.addEventListener("htmx:afterSwap", function () {
    if (!scrolled) { return; }
    scrollers(document.getElementById(scrolled.part)).forEach(function (box, place) {
      if (place < scrolled.at.length) { box.scrollLeft = scrolled.at[place][0]; box.scrollTop = scrolled.at[place][1]; }
    });
    scrolled = null;
  });

  // A live part is not replaced while the viewer uses it.
  document.addEventListener("htmx:beforeSwap", function (event) {
    var target = event.detail.target;
    if (target.classList.contains("live") && target.contains(document.activeElement) &&
        /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) {
      event.detail.shouldSwap = false;
    }
  });
  document.addEventListener("htmx:afterSettle", function (event) { localTimes(event.detail.elt.parentNode || document); });

  document.addEventListener("DOMContentLoaded", function () {
    localTimes(document);
    address = document.body.getAttribute("data-live");
    listen();
    var theme = document.getElementById("theme");
    if (theme) {
      theme.hidden = false;
      theme.addEventListener("click", function () {
        var isDark = root.getAttribute("data-theme") === "dark" ||
          (!root.getAttribute("data-theme") && window.matchMedia("(prefers-color-scheme: dark)").matches);
        var next = isDark ? "light" : "dark";
        try { localStorage.setItem("runledger-theme", next); } catch (e) { /* not kept */ }
        apply(next);
      });
    }
    // Times can be entered in the zone of the viewer.
    var zone = window.Intl ? Intl.DateTimeFormat().resolvedOptions().timeZone : null;
    if (zone && zone !== "UTC") {
      document.querySelectorAll("datalist.zones").forEach(function (list) {
        var option = document.createElement("option");
        option.value = zone;
        list.appendChild(option);
      });
    }
    // A form is sent once.
    document.addEventListener("submit", function (event) {
      var form = event.target;
      if (form.method !== "post") { return; }
      if (form.getAttribute("data-sent")) { event.preventDefault(); return; }
      form.setAttribute("data-sent", "true");
      setTimeout(function () { form.removeAttribute("data-sent"); }, 10000);
    });
    document.addEventListener("click", function (event) {
      var button = event.target.closest("[data-copy]");
      if (button && navigator.clipboard) { navigator.clipboard.writeText(button.getAttribute("data-copy")); }
    });
  });
})();
