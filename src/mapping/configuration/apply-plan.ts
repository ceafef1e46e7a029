/**
 * Carries out the plan of a configuration, group by group.
 *
 * Several records cannot be changed in one transaction, so each step is conditional on the version that the plan was made from, and a
 * configuration that was applied in part can be applied again.
 */
import type * as api from '../../../generated/server/admin.ts';
import { isDomainError } from '../../base/errors.ts';
import type { Logger } from '../../base/runtime.ts';
import type { IssuedSecrets, KindPlan, Step } from './configuration-plan.ts';

/** Steps that may need each other; `writeTogether` carries out in one step those that no order suits. */
interface Group extends Pick<KindPlan, 'writeTogether'> {
  readonly steps: readonly Step[];
}

/** The steps, in groups that follow one another, and what the installation keeps although the configuration lacks it. */
export interface Plan {
  readonly groups: readonly Group[];
  readonly kept: readonly Step[];
}

/** All steps of a plan, and what is kept. */
export const listSteps = ({ groups, kept }: Plan): readonly Step[] => [
  ...groups.flatMap(({ steps }) => steps),
  ...kept,
];

/** Carries out a plan. Returns the failure of a change in the result. Errors: those of a store at the first change. */
export async function applyPlan(plan: Plan, logger: Logger): Promise<api.ConfigurationResult> {
  const done = new Set<Step>();
  const [clientSecrets, webhookSecrets]: [
    api.ConfigurationResult['clientSecrets'],
    api.ConfigurationResult['webhookSecrets'],
  ] = [[], []];
  const run = async (step: Step) => {
    const issued: IssuedSecrets = (await step.run?.()) ?? {};
    done.add(step);
    clientSecrets.push(...(issued.clientSecrets ?? []));
    webhookSecrets.push(...(issued.webhookSecrets ?? []));
  };
  let failure: string | undefined;
  try {
    for (const group of plan.groups) await runGroup(group, { run, onDone: (step) => done.add(step) });
  } catch (error) {
    if (done.size === 0 && !(isDomainError(error) && ofOtherChanges.has(error.code))) throw error;
    // The secrets of what was created exist nowhere else, so the result is returned.
    logger.error({ err: error }, 'A configuration was applied in part');
    failure = isDomainError(error) ? error.message : 'the server failed, and its log has the cause';
  }
  const changes = listSteps(plan).map((step) => ({ ...step.change, applied: done.has(step) }));
  return { changes, clientSecrets, webhookSecrets, ...(failure === undefined ? {} : { failure }) };
}

/** Errors of a change that was checked: somebody has changed something since. */
const ofOtherChanges: ReadonlySet<string> = new Set([
  'in_use',
  'invalid_body',
  'not_found',
  'precondition_failed',
  'value_in_use',
]);

/**
 * Runs the steps of a group. One that needs what another step of the group is going to leave, such as a path, is run again after that
 * one; those that need it of each other are carried out in one step.
 */
async function runGroup(
  { steps, writeTogether }: Group,
  { run, onDone }: { run: (step: Step) => Promise<void>; onDone: (step: Step) => void },
): Promise<void> {
  let waiting = steps;
  let mayJoin = writeTogether !== undefined;
  while (waiting.length > 0) {
    const refused: Step[] = [];
    let reason: unknown;
    for (const step of waiting) {
      try {
        await run(step);
      } catch (error) {
        if (!isDomainError(error, 'invalid_body') && !isDomainError(error, 'value_in_use')) throw error;
        refused.push(step);
        reason = error;
      }
    }
    if (refused.length < waiting.length) {
      waiting = refused;
      continue;
    }
    const joined = mayJoin ? ((await writeTogether?.(refused)) ?? []) : [];
    if (joined.length === 0) throw reason;
    for (const step of joined) onDone(step);
    waiting = refused.filter((step) => !joined.includes(step));
    mayJoin = false;
  }
}
