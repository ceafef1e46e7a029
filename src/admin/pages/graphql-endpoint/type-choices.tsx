/**
 * The part of the form that says which types an endpoint reads and writes.
 */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { typeList } from '../../parts/data/lists.ts';
import type { Form } from '../../parts/forms/use-form.ts';
import { Section } from '../../parts/layout/page.tsx';
import { Loaded } from '../../parts/loading/loaded.tsx';
import type { EndpointFields } from './endpoint-data.ts';
import { choosableTypes } from './type-choice.ts';
import { TypeTable } from './type-table.tsx';

/** The table, once the types are known. */
export function TypeChoices({ form }: { form: Form<EndpointFields> }) {
  const { readTypes, writeTypes } = form.fields;
  // What is no more stays to be seen after it was taken from the choice.
  const [named] = useState([...readTypes, ...writeTypes]);
  return (
    <Section title="Types">
      <div data-path="readTypes writeTypes">
        <Loaded query={useQuery(typeList)} what="content types">
          {({ items }) => (
            <TypeTable
              types={choosableTypes(items, [...named, ...readTypes, ...writeTypes])}
              choice={form.fields}
              onChange={form.change}
              error={form.errorOf('readTypes') ?? form.errorOf('writeTypes')}
            />
          )}
        </Loaded>
      </div>
    </Section>
  );
}
