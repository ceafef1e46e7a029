/** What a new password must be. */
import { expect, it } from 'vitest';
import { checkNewPassword } from '../../../../src/access/users/password.ts';

const email = 'margaret.hamilton@example.org';
const faultOf = (password: string) => checkNewPassword(password, { email })[0]?.message;

it.each([
  'correct horse',
  'kitchen-window-7',
  '😀😁😂🤣😃😄 😀😁😂🤣😃',
  'margaret.hamilton likes tea',
  'passwords are long',
  'password1234 of the house',
  '7402 8153 9966',
])('accepts %j', (password) => {
  expect(faultOf(password)).toBeUndefined();
});

it.each([
  ['', 'must have 12 to 1000 characters'],
  ['correct hor', 'must have 12 to 1000 characters'],
  ['cre\u0300me bru\u0302le\u0301', 'must have 12 to 1000 characters'],
  ['😀😁😂🤣😃😄', 'must have 12 to 1000 characters'],
  [`${'horse'.repeat(200)}s`, 'must have 12 to 1000 characters'],
  ['aaaaaaaaaaaa', 'must have at least 5 different characters'],
  ['abcabcabcabc', 'must have at least 5 different characters'],
  ['abcabcabcabca', 'must have at least 5 different characters'],
  ['horse horse horse ', 'must not repeat the same characters again and again'],
  ['PasswordPassword', 'must not repeat the same characters again and again'],
  ['Password1234', 'must not be one of the commonest passwords, nor one with digits or signs after it'],
  ['dragon!!2026-11-28', 'must not be one of the commonest passwords, nor one with digits or signs after it'],
  ['123456789012', 'must not be one of the commonest passwords, nor one with digits or signs after it'],
  ['1QAZ2wsx3edc', 'must not be one of the commonest passwords, nor one with digits or signs after it'],
  [email, 'must not be the email address or its first part, nor one of them with digits or signs after it'],
  [
    'Margaret.Hamilton',
    'must not be the email address or its first part, nor one of them with digits or signs after it',
  ],
  [
    'margaret.hamilton_69!',
    'must not be the email address or its first part, nor one of them with digits or signs after it',
  ],
])('refuses %j', (password, message) => {
  expect(checkNewPassword(password, { email, path: 'newPassword' })).toEqual([
    { path: 'newPassword', message },
  ]);
});
