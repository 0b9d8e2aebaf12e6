// Sets light or dark before the page is painted: a module would run too late. Classic script, no imports.
(() => {
  try {
    const theme = JSON.parse(localStorage.getItem('quincunx:settings') ?? '{}').theme;
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  } catch {
    // Without storage the system's setting applies.
  }
})();
