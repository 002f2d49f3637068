// Runs before the first paint, so that a dark page never flashes light. The settings page writes the same key.
(function () {
  var chosen = null;
  try {
    chosen = localStorage.getItem('quaestor.theme');
  } catch (_) {
    // Storage may be forbidden; then the system decides.
  }
  var dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
})();
