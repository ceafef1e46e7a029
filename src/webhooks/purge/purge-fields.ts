/**
 * The template of a purge in the record of a webhook. The values of secret headers are encrypted together.
 */
import type { SecretBox } from '../secrets/secret-box.ts';
import type { PurgeInput, PurgeTemplate } from './purge-template.ts';

/** Converts a template to the fields of the record of a webhook. Errors: not_supported without a key, bad_config. */
export function toPurgeFields(
  purge: PurgeInput | undefined,
  { box, id, present }: { box: SecretBox; id: string; present?: PurgeTemplate | undefined },
): object {
  if (!purge) return {};
  const { method, headers, secretHeaders, body, maxTags } = purge;
  const secretNames = secretHeaders ? Object.keys(secretHeaders) : (present?.secretNames ?? []);
  return {
    purge: {
      method,
      headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
      secretNames,
      ...(body !== undefined && { body }),
      maxTags,
    },
    ...(secretHeaders && {
      purgeSecrets: secretNames.length > 0 ? box.encrypt(JSON.stringify(secretHeaders), purposeOf(id)) : null,
    }),
  };
}

/** Reads the template from the record, which the content service validated. */
export function readPurge(value: unknown): PurgeTemplate | undefined {
  if (value === undefined || value === null) return undefined;
  // The content type of the record has these members.
  const stored = value as Omit<PurgeTemplate, 'headers'> & {
    readonly headers: readonly { readonly name: string; readonly value: string }[];
  };
  return {
    ...stored,
    headers: Object.fromEntries(stored.headers.map(({ name, value: text }) => [name, text])),
  };
}

/** Decrypts the secret headers, or says why that is impossible. */
export function readSecretHeaders(
  { id, purgeSecrets }: { readonly id: string; readonly purgeSecrets?: string },
  box: SecretBox,
): { readonly headers: Readonly<Record<string, string>> } | { readonly problem: string } {
  if (purgeSecrets === undefined) return { headers: {} };
  const found = box.decrypt(purgeSecrets, purposeOf(id));
  if ('problem' in found) return { problem: `A secret header cannot be read. ${found.problem}` };
  return { headers: JSON.parse(found.secret) as Record<string, string> };
}

const purposeOf = (id: string) => `${id} purge headers`;
