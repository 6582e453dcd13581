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

// A form that a passkey signs is sent when the browser has its answer.
addEventListener('submit', async (event) => {
  const { target: form, submitter } = event;
  const { sign, make } = form.dataset;
  if ((sign ?? make) === undefined || form.elements.answer.value !== '') return;
  event.preventDefault();
  const alert = form.querySelector('[data-failed]');
  alert.textContent = '';
  try {
    const answer =
      sign === undefined
        ? await navigator.credentials.create({
            publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(make)),
          })
        : await navigator.credentials.get({
            publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(sign)),
          });
    form.elements.answer.value = JSON.stringify(answer);
    form.requestSubmit(submitter);
  } catch {
    alert.textContent = alert.dataset.failed;
  }
});

// Times are those of whoever reads; in the page they are of UTC.
const clock = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' });
function showOwnTimes() {
  for (const time of document.querySelectorAll('time:not([title])')) {
    const at = new Date(time.dateTime);
    const shown = time.dataset.day === undefined ? clock : day;
    [time.textContent, time.title] = [shown.format(at), exact.format(at)];
  }
}
document.querySelector('[data-zone]').textContent = clock.resolvedOptions().timeZone;
showOwnTimes();
// Also what the page asked for again.
new MutationObserver(showOwnTimes).observe(document.body, { childList: true, subtree: true });

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
