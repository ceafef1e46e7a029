/**
 * The email addresses of users: text before and after one `@`, without invisible characters. Whether mail arrives there is not
 * checked.
 */

/** The form of an email address; a host without dots, such as `localhost`, is allowed. */
export const emailPattern = /^(?=.{3,254}$)[^\s@\p{C}]+@[^\s@\p{C}]+$/u;

/** Returns the one spelling of an address that is stored and looked up. */
export function toEmail(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
