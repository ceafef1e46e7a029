/**
 * The fields for the origins whose pages may call an endpoint.
 */
import { NumberInput, Textarea } from '@mantine/core';
import type { Cors } from '../../api.ts';

/** What the fields hold: a line for each origin, and a number or what is typed in its place. */
export interface CorsDraft {
  readonly origins: readonly string[];
  readonly maxAge?: number | string;
}

/** The setting that the fields hold; undefined without origins. */
export function toCors({ origins, maxAge }: CorsDraft = { origins: [] }): Cors | undefined {
  const given = origins.map((origin) => origin.trim()).filter((origin) => origin !== '');
  if (given.length === 0) return undefined;
  return { origins: given, ...(typeof maxAge === 'number' ? { maxAge } : {}) };
}

/** The origins, and, where there are any, how long browsers keep the permission. */
export function CorsFields({
  cors = { origins: [] },
  onChange,
  error,
}: {
  cors: CorsDraft | undefined;
  onChange: (cors: CorsDraft) => void;
  error: string | undefined;
}) {
  return (
    <>
      <Textarea
        label="Allowed origins"
        description="Pages of these sites may call the endpoint from a browser (CORS): one in each line, such as https://www.example.com, or * for all."
        autosize
        minRows={1}
        value={cors.origins.join('\n')}
        onChange={(event) => onChange({ ...cors, origins: event.currentTarget.value.split('\n') })}
        error={error}
        data-path="cors"
      />
      {toCors(cors) && (
        <NumberInput
          label="Seconds that browsers remember it"
          description="How long a browser does not ask again whether it may; 600 unless given, at most 86,400."
          allowDecimal={false}
          min={0}
          max={86_400}
          value={cors.maxAge ?? ''}
          onChange={(maxAge) => onChange({ ...cors, maxAge })}
        />
      )}
    </>
  );
}
