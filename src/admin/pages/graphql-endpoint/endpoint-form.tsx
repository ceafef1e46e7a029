/**
 * The form of a GraphQL endpoint: its name, path, types and access rule.
 */
import { Group, Stack } from '@mantine/core';
import type { DryRun, Warning } from '../../api.ts';
import { ConfirmChange } from '../../parts/confirm/confirm-change.tsx';
import { Warnings } from '../../parts/confirm/consequences.tsx';
import { CorsFields } from '../../parts/endpoints/cors-fields.tsx';
import { BusyButton } from '../../parts/forms/busy-button.tsx';
import { type FormLabels, FormProblem } from '../../parts/forms/form-problem.tsx';
import { LeaveGuard } from '../../parts/forms/leave-guard.tsx';
import { useForm } from '../../parts/forms/use-form.ts';
import { AccessChoice } from './access-choice.tsx';
import type { EndpointFields } from './endpoint-data.ts';
import { Limits } from './limits.tsx';
import { NameAndPath } from './name-and-path.tsx';
import { TypeChoices } from './type-choices.tsx';

/** The form of the stored fields. `reload` reads them again when another user has changed them. */
export function EndpointForm({
  stored,
  action,
  warnings = [],
  save,
  tryOut,
  reload,
}: {
  stored: EndpointFields;
  action: string;
  warnings?: readonly Warning[];
  tryOut: (fields: EndpointFields) => Promise<DryRun | undefined>;
  save: (fields: EndpointFields) => Promise<void>;
  reload?: () => Promise<unknown>;
}) {
  const form = useForm({ stored, save, tryOut, reload });
  return (
    <>
      <ConfirmChange
        question={form.question && { found: form.question, title: `${action}?`, action: `${action} anyway` }}
        onClose={() => form.answer(false)}
        onConfirm={() => form.answer(true)}
      />
      <form onSubmit={form.submit} noValidate>
        <LeaveGuard isChanged={form.isChanged} />
        <Stack maw={640}>
          <Warnings warnings={warnings} />
          <NameAndPath form={form} />
          <TypeChoices form={form} />
          <AccessChoice form={form} />
          <Limits form={form} />
          <CorsFields
            cors={form.fields.cors}
            onChange={(cors) => form.change({ cors })}
            error={form.errorOf('cors')}
          />
          <FormProblem form={form} labels={labels} />
          <Group>
            <BusyButton isBusy={form.isSaving}>{action}</BusyButton>
          </Group>
        </Stack>
      </form>
    </>
  );
}

const labels: FormLabels<EndpointFields> = {
  name: 'Name',
  path: 'Path',
  readTypes: 'Types to read',
  writeTypes: 'Types to write',
  access: 'Access',
  defaultLimit: 'Default limit',
  maxLimit: 'Maximum limit',
  introspection: 'Introspection',
  cors: 'Allowed origins',
};
