/**
 * The types of the records by which a user who has signed in is recognized. A change of password deletes them all.
 */

export const sessionType = 'com.colophon.system.Session';
export const deviceType = 'com.colophon.system.KnownDevice';
