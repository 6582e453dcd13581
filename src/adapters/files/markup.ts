/**
 * Text inside markup, XML and HTML alike: the one place where a sign that begins or ends something is taken away its
 * power. What may stand in the text otherwise is the caller's to see to.
 */
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function inMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '');
}
