/**
 * Offers what the browser has kept of a form.
 */
import { Alert, Button, Group, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Confirm } from '../confirm/confirm.tsx';
import { isSameValue } from '../difference/same-value.ts';
import type { NameOf } from '../forms/form-options.ts';
import type { Form, KeptFields } from '../forms/use-form.ts';
import { CopyField } from '../layout/copy-field.tsx';
import { describeMoment } from '../time/local-time.ts';

/** The strip; `title` says what happened, if it was not that the page was left. It asks before it discards. Without `onRestore` the texts can only be read, as `children` show them. */
export function UnsavedStrip({
  at,
  title = 'You have unsaved changes',
  children,
  onRestore,
  onDiscard,
}: {
  at: number;
  title?: string | undefined;
  children?: ReactNode;
  onRestore?: (() => void) | undefined;
  onDiscard: () => void;
}) {
  const [nowMs] = useState(Date.now);
  const [isAsking, setIsAsking] = useState(false);
  return (
    <Alert color="orange" variant="light" role="status" title={`${title} from ${describeMoment(at, nowMs)}`}>
      <Text size="sm" component="div">
        {children}
      </Text>
      <Group gap="xs" mt="xs">
        {onRestore && (
          <Button variant="default" size="xs" onClick={onRestore}>
            Restore them
          </Button>
        )}
        <Button variant="default" size="xs" onClick={() => setIsAsking(true)}>
          Discard them
        </Button>
      </Group>
      <Confirm
        title="Discard them?"
        consequence="This browser keeps the unsaved changes no more, and nothing brings them back."
        action="Discard them"
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        onConfirm={async () => {
          setIsAsking(false);
          onDiscard();
        }}
      />
    </Alert>
  );
}

/** The offer, if there is one. Restored fields stand above what is stored now, so that others' changes of other fields stay. `renew` makes them those of a new form. */
export function UnsavedFields<Fields extends { readonly name: string }, More extends string>({
  form: { unsaved, stored, fields, change, labels },
  renew = (changes) => changes,
}: {
  form: Form<Fields, More>;
  renew?: (changes: Partial<Fields>) => Partial<Fields>;
}) {
  const { offered, settle } = unsaved;
  if (!offered) return null;
  // Safe: `useForm` has kept it. Another version of this UI may have had other fields, which are not restored.
  const { changes, stored: began, thrownAway } = offered.value as Partial<KeptFields<Fields>>;
  const names = Object.keys(changes ?? {}).filter((name): name is NameOf<Fields> => name in labels);
  const strip = { at: offered.at, title: thrownAway, onDiscard: () => settle(offered, false) };
  if (!changes || !began || names.length < Object.keys(changes).length)
    return (
      <UnsavedStrip {...strip}>
        The form has changed since, so they cannot be put into it. Copy from here what you need.
        <CopyField
          label="Unsaved values"
          text={JSON.stringify(changes ?? offered.value, null, 2)}
          maxHeight={240}
        />
      </UnsavedStrip>
    );
  const listOf = (some: readonly NameOf<Fields>[]) => some.map((name) => labels[name]).join(', ');
  const overtaken = names.filter(
    (name) => !isSameValue(stored[name], began[name]) && !isSameValue(stored[name], changes[name]),
  );
  const typed = names.filter((name) => !isSameValue(fields[name], stored[name]));
  const restore = () => {
    if (typed.length > 0) unsaved.setAside();
    change(renew(changes));
    settle(offered, true);
  };
  return (
    <UnsavedStrip {...strip} onRestore={restore}>
      This browser has kept them: {listOf(names)}.
      {overtaken.length > 0 &&
        ` Someone has saved other values since, which restoring replaces in the form: ${listOf(overtaken)}.`}
      {typed.length > 0 &&
        ` Restoring replaces what you have typed now in ${listOf(typed)}, which is then offered in its turn.`}
    </UnsavedStrip>
  );
}
