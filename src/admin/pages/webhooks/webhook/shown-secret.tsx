/**
 * Shows the secret of a webhook once.
 */
import type { IssuedWebhook } from '../../../api.ts';
import { CopyField } from '../../../parts/layout/copy-field.tsx';
import { ShownOnce } from '../../../parts/layout/shown-once.tsx';

/** The dialog. It is open while there is a secret; `onClose` is called when the user has stored it. */
export function ShownSecret({ issued, onClose }: { issued: IssuedWebhook | undefined; onClose: () => void }) {
  return (
    <ShownOnce
      title={`Secret of ${issued?.webhook.name}`}
      why="Colophon stores it encrypted and does not show it again."
      isOpen={issued !== undefined}
      onClose={onClose}
    >
      {issued && <CopyField label="Secret" text={issued.secret} />}
    </ShownOnce>
  );
}
