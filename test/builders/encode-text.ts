/** Text as bytes of any encoding. */
import iconv from 'iconv-lite';

export function encodeText(text: string, encoding: string): Buffer {
  return iconv.encode(text, encoding);
}
