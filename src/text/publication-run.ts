/**
 * The names of the runs that publish releases, which say which release it was.
 */

/** A longer name of a release would not leave room for the version. */
const maxNameLength = 40;

/** Returns the name of the run of a publication; `version` makes it unique. */
export const publicationRun = (release: string, version: string): string =>
  `publish-${release.slice(0, maxNameLength)}-${version}`;

const pattern = /^publish-([\w.-]{1,40})-[\w-]{12}$/;

/** Whether a name is one that publications give to their runs. */
export const isPublicationRun = (run: string): boolean => pattern.test(run);

/** Returns the release that a run has published; undefined for any other run, and where the run has only the beginning of its name. */
export function releaseOfRun(run: string): string | undefined {
  const release = pattern.exec(run)?.[1];
  return release !== undefined && release.length < maxNameLength ? release : undefined;
}
