/**
 * Functions that build the errors of publications.
 */
import { DomainError } from './domain-error.ts';
import { count, type PublicationFinding, quote } from './problems.ts';

/** A release whose drafts cannot go live. `findings` has one at least. */
export const publicationRefused = (release: string, findings: readonly PublicationFinding[]) => {
  const assets = new Set(findings.map(({ asset }) => asset)).size;
  return new DomainError(
    'publication_refused',
    `${count(assets, 'draft')} of the release ${quote(release)} cannot be published, so none was`,
    { findings },
  );
};
