/**
 * What counts as the email address of a user: something before and after one `@`, and nothing that cannot be seen. Whether mail
 * arrives there is not Colophon's to know.
 */

/** The form of an email address; a host without dots, such as `localhost`, will do. */
export const emailPattern = /^(?=.{3,254}$)[^\s@\p{C}]+@[^\s@\p{C}]+$/u;

/** The one spelling of an address that is kept and looked up. */
export function toEmail(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
