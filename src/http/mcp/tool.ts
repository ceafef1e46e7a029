/**
 * What a tool is, and what its calls receive.
 */
import type { JsonObject } from '../../model/content-type.ts';
import type { ToolCaller } from './call-cma.ts';
import type { Session } from './session.ts';

/** A call of a tool. */
export interface ToolCall extends ToolCaller {
  readonly session: Session;
  /** Validated against the schema of the tool. */
  readonly input: JsonObject;
}

/** A tool. Its texts come from Colophon, or from people who may publish REST endpoints, and never from content. */
export interface Tool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonObject & { readonly type: 'object' };
  readonly outputSchema: JsonObject & { readonly type: 'object' };
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
  /** Whether the tool checks its input itself, against variables that can change. */
  readonly isChecked?: true;
  /** Returns the structured content. Errors: DomainError. */
  run(call: ToolCall): Promise<JsonObject>;
}

/** The annotations of tools that change nothing. */
export const reading: Tool['annotations'] = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
