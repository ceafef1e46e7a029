/**
 * The SDL files of the content types, to be read and copied.
 */
import { Accordion } from '@mantine/core';
import type { TypeSource } from '../../api.ts';
import { CopyField } from '../../parts/layout/copy-field.tsx';
import { EmptyState } from '../../parts/layout/page.tsx';

/** The files as a list of panels; the only one of them is open. */
export function TypeFiles({ sources }: { sources: readonly TypeSource[] }) {
  const [first, second] = sources;
  if (!first)
    return <EmptyState title="No SDL files">The folder of content types has no SDL files.</EmptyState>;
  return (
    <Accordion
      multiple
      variant="separated"
      order={3}
      defaultValue={second ? [] : [first.file]}
      keepMounted={false}
    >
      {sources.map(({ file, text }) => (
        <Accordion.Item key={file} value={file}>
          <Accordion.Control style={{ overflowWrap: 'anywhere' }}>{file}</Accordion.Control>
          <Accordion.Panel>
            <CopyField label={`SDL of ${file}`} text={text} maxHeight={480} />
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}
