/**
 * What a page cannot do by markup alone: a drop zone for files, and a warning before words that were typed are left.
 * Everything works without it, but for passkeys.
 */
for (const zone of document.querySelectorAll('.drop')) {
  const field = zone.querySelector('input[type=file]');
  const over = (is) => (event) => {
    event.preventDefault();
    zone.classList.toggle('over', is);
  };
  zone.addEventListener('dragover', over(true));
  zone.addEventListener('dragleave', over(false));
  zone.addEventListener('drop', (event) => {
    over(false)(event);
    if (event.dataTransfer.files.length !== 1) return;
    field.files = event.dataTransfer.files;
    field.form.requestSubmit();
  });
}

// What a page shows of work that ended is old: the whole page is made anew.
addEventListener('htmx:after:swap', () => {
  if (document.querySelector('#panel [data-reload]') !== null) location.reload();
});

let isTyped = false;
addEventListener('input', ({ target }) => {
  isTyped ||= target.form?.dataset.keep !== undefined;
});
addEventListener('submit', () => {
  isTyped = false;
});
addEventListener('beforeunload', (event) => {
  if (isTyped) event.preventDefault();
});
