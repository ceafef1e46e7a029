/**
 * Offers what the browser has kept of a form for a stored resource, field by field.
 */
import type { FormLabels } from '../forms/form-problem.tsx';
import type { Form, KeptFields } from '../forms/use-form.ts';
import { CopyField } from '../layout/copy-field.tsx';
import { UnsavedStrip } from './unsaved-strip.tsx';

/** The offer, if there is one. Restored fields stand above what is stored now, so that others' changes of other fields stay. */
export function UnsavedFields<Fields extends { readonly name: string }>({
  form: { unsaved, stored, fields, change },
  labels,
}: {
  form: Form<Fields>;
  labels: FormLabels<Fields>;
}) {
  const { offered, settle } = unsaved;
  if (!offered) return null;
  // Safe: `useForm` has kept it. Another version of this UI may have had other fields, which are not restored.
  const kept = offered.value as KeptFields<Fields>;
  const names = Object.keys(kept.changes).filter((name): name is keyof Fields & string => name in labels);
  const drop = () => settle(offered, false);
  if (names.length < Object.keys(kept.changes).length)
    return (
      <UnsavedStrip at={offered.at} onDiscard={drop}>
        The form has changed since, so they cannot be put into it. Copy from here what you need.
        <CopyField label="Unsaved values" text={JSON.stringify(kept.changes, null, 2)} maxHeight={240} />
      </UnsavedStrip>
    );
  const listOf = (some: readonly (keyof Fields & string)[]) => some.map((name) => labels[name]).join(', ');
  const overtaken = names.filter(
    (name) => !isSame(stored[name], kept.stored[name]) && !isSame(stored[name], kept.changes[name]),
  );
  const typed = names.filter((name) => !isSame(fields[name], stored[name]));
  const restore = () => {
    if (typed.length > 0) unsaved.setAside();
    change(kept.changes);
    settle(offered, true);
  };
  return (
    <UnsavedStrip at={offered.at} onRestore={restore} onDiscard={drop}>
      This browser has kept them: {listOf(names)}.
      {overtaken.length > 0 &&
        ` Someone has saved other values since, which restoring replaces in the form: ${listOf(overtaken)}.`}
      {typed.length > 0 &&
        ` Restoring replaces what you have typed now in ${listOf(typed)}, which is then offered in its turn.`}
    </UnsavedStrip>
  );
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
