for (const table of document.querySelectorAll('table.sorted')) {
  const heads = [...table.querySelectorAll('thead th')];
  const value = (row, i) => row.children[i] ? row.children[i].textContent.trim() : '';
  for (const [i, head] of heads.entries()) {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...head.childNodes);
    head.append(button);
    button.onclick = () => {
      const down = head.getAttribute('aria-sort') === 'ascending';
      heads.forEach(other => other.removeAttribute('aria-sort'));
      head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      const rows = [...table.tBodies[0].rows];
      rows.sort((a, b) => {
        const [x, y] = [value(a, i), value(b, i)], [m, n] = [parseFloat(x), parseFloat(y)];
        const order = isNaN(m) || isNaN(n) ? x.localeCompare(y) : m - n;
        return down ? -order : order;
      });
      table.tBodies[0].append(...rows);
    };
  }
}
