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

/** A unique value at `path` that leads to no single asset: several drafts of a release have it. */
export function ambiguousValue({ path, field, value }: { path: string; field: string; value: string }) {
  const message = `${quote(value)} is the ${quote(field)} of several assets of the release, so it names none of them`;
  const reason = 'names several assets of the release';
  return new DomainError('value_in_use', message, { field: path, value, reason });
}
