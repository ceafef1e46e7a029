/**
 * Names a content type in a line of text.
 */
import { useTypeNames } from '../data/type-names.ts';

/** The name of the type, with its class name as a tooltip. */
export function TypeName({ className }: { className: string }) {
  return <span title={className}>{useTypeNames()(className)}</span>;
}
