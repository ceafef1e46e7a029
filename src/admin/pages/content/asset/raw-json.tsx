/**
 * The JSON of an asset, for those who ask for it.
 */
import { Box, Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Asset } from '../../../api.ts';
import { CopyField } from '../../../parts/layout/copy-field.tsx';

/** A button that shows and hides the JSON of what is stored. */
export function RawJson({ asset }: { asset: Asset }) {
  const [isOpen, { toggle }] = useDisclosure(false);
  return (
    <Box mt="lg">
      <Button variant="default" size="xs" mb="xs" aria-expanded={isOpen} onClick={toggle}>
        {isOpen ? 'Hide' : 'Show'} the stored JSON
      </Button>
      {isOpen && <CopyField label="JSON" text={JSON.stringify(asset, null, 2)} maxHeight={480} />}
    </Box>
  );
}
