/**
 * What people type as addresses: completes them, and refuses those that lead nowhere.
 */

/** What an address is for. */
export type AddressKind = 'link' | 'image' | 'embed';

/** The protocols of addresses that are safe to open. */
const protocols: Record<AddressKind, readonly string[]> = {
  link: ['http:', 'https:', 'mailto:', 'tel:'],
  image: ['http:', 'https:'],
  embed: ['https:'],
};

const email = /^[^\s@/:?#]+@[^\s@/:?#.]+(\.[^\s@/:?#.]+)+$/;
const host = /^([\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+\p{L}{2,}(:\d+)?([/?#]\S*)?$/u;

/** Completes an address: `www.example.com` is `https://www.example.com`, an e-mail address gets `mailto:`. */
export function toAddress(typed: string): string {
  if (email.test(typed)) return `mailto:${typed}`;
  return host.test(typed) ? `https://${typed}` : typed;
}

/** Says why an address leads nowhere; undefined when it can lead somewhere. */
export function findAddressProblem(kind: AddressKind, address: string): string | undefined {
  if (address === '') return 'An address is required';
  if (kind !== 'embed' && /^(\/(?!\/)|\.\.?\/|[?#])\S*$/.test(address)) return undefined;
  const url = URL.parse(address);
  if (!url || !protocols[kind].includes(url.protocol)) {
    if (kind === 'embed') return 'The address must begin with https';
    const known = protocols[kind].map((protocol) => protocol.slice(0, -1)).join(', ');
    return `The address must begin with one of ${known}, or be a path that begins with /`;
  }
  if (url.protocol === 'mailto:') {
    return email.test(url.pathname) ? undefined : 'An e-mail address has the form name@example.com';
  }
  if (url.protocol === 'tel:') return /\d/.test(url.pathname) ? undefined : 'A telephone number has digits';
  return /^(localhost|\[.*\]|([^.]+\.)+[^.]+\.?)$/.test(url.hostname)
    ? undefined
    : `“${url.hostname}” leads nowhere: the name of a site has a dot, as in example.com`;
}
