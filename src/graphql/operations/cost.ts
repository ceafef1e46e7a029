/**
 * Costs as sums of products in which some factors are variables: computed once, evaluated for every run.
 *
 * Parts may be shared, and each is evaluated once however often it occurs. A cost stops growing at the largest safe integer.
 */

/** A cost: a fixed part, and parts that depend on variables. */
export interface Cost {
  readonly fixed: number;
  readonly parts: readonly { readonly times: Factor; readonly cost: Cost }[];
}

/** A number, or the name of the variable that has it. */
export type Factor = number | { readonly variable: string };

/** Adds costs. */
export function addCosts(costs: readonly Cost[]): Cost {
  const varying = costs.filter(({ parts }) => parts.length > 0);
  return {
    fixed: capped(costs.reduce((sum, cost) => sum + (cost.parts.length > 0 ? 0 : cost.fixed), 0)),
    parts: varying.map((cost) => ({ times: 1, cost })),
  };
}

/** Multiplies a cost. */
export function multiplyCost(times: Factor, cost: Cost): Cost {
  return typeof times === 'number' && cost.parts.length === 0
    ? { fixed: capped(times * cost.fixed), parts: [] }
    : { fixed: 0, parts: [{ times, cost }] };
}

/** Evaluates a cost; `factorOf` returns the number for a variable. */
export function evaluateCost(cost: Cost, factorOf: (variable: string) => number): number {
  const known = new Map<Cost, number>();
  const evaluate = (one: Cost): number => {
    const earlier = known.get(one);
    if (earlier !== undefined) return earlier;
    const sum = one.parts.reduce((total, { times, cost: part }) => {
      const factor = typeof times === 'number' ? times : factorOf(times.variable);
      return total + factor * evaluate(part);
    }, one.fixed);
    known.set(one, capped(sum));
    return capped(sum);
  };
  return evaluate(cost);
}

const capped = (number: number) => Math.min(number, Number.MAX_SAFE_INTEGER);
