/** What forms say about a new password; the server checks it. */
export const newPasswordRule =
  'At least 12 characters. Not your email address or its first part, a common password, or one of these with digits or signs after it.';
