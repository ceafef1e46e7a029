/**
 * The content types of the records that recognize a signed-in user. A change of password deletes all of them.
 */

export const sessionType = 'com.colophon.system.Session';
export const deviceType = 'com.colophon.system.KnownDevice';
