/**
 * Reads a Containerfile as its steps. It knows the instructions and options that `deploy/Containerfile` uses, and refuses others, so that
 * no step is left out.
 */

/** A step that builds a stage. */
export type BuildStep =
  | {
      readonly kind: 'copy';
      readonly from?: string;
      readonly sources: readonly string[];
      readonly target: string;
    }
  | { readonly kind: 'run'; readonly script: string; readonly cache?: string }
  | { readonly kind: 'env'; readonly name: string; readonly value: string }
  | { readonly kind: 'workdir'; readonly path: string }
  | { readonly kind: 'user'; readonly user: string };

/** One stage, from a base image. */
export interface Stage {
  readonly base: string;
  /** Absent for the last stage. */
  readonly name?: string;
  readonly steps: readonly BuildStep[];
  readonly settings: ImageSettings;
}

/** What a stage says of the containers that run it. */
export interface ImageSettings {
  volume?: string;
  port?: number;
  healthcheck?: readonly string[];
  entrypoint?: readonly string[];
  command?: readonly string[];
}

/** Parses a Containerfile. Throws an error that names the first line it cannot read. */
export function parseContainerfile(text: string): Stage[] {
  const lines = text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll('\\\n', '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const stages: (Stage & { steps: BuildStep[] })[] = [];
  for (const line of lines) {
    const [, instruction = '', rest = ''] = /^([A-Z]+) +(.*)$/.exec(line) ?? [];
    if (instruction === 'FROM') {
      const [base = '', , name] = rest.split(/ +/);
      stages.push({ base, ...(name !== undefined && { name }), steps: [], settings: {} });
      continue;
    }
    const stage = stages.at(-1);
    const step = toStep(instruction, rest);
    if (!stage || (!step && !set(stage.settings, instruction, rest)))
      throw new Error(`Containerfile: ${line}`);
    if (step) stage.steps.push(step);
  }
  return stages;
}

function toStep(instruction: string, rest: string): BuildStep | undefined {
  switch (instruction) {
    case 'COPY': {
      const [, from, paths = ''] = /^(?:--from=(\S+) +)?([^-].*)$/.exec(rest) ?? [];
      const words = paths.split(/ +/);
      const [sources, target = ''] = [words.slice(0, -1), words.at(-1)];
      return sources.length === 0
        ? undefined
        : { kind: 'copy', ...(from !== undefined && { from }), sources, target };
    }
    case 'RUN': {
      const [, cache, script = ''] = /^(?:--mount=type=cache,target=(\S+) +)?([^-].*)$/.exec(rest) ?? [];
      return script === '' ? undefined : { kind: 'run', script, ...(cache !== undefined && { cache }) };
    }
    case 'ENV': {
      const [, name = '', value] = /^(\w+)=([^\s"$]*)$/.exec(rest) ?? [];
      return value === undefined ? undefined : { kind: 'env', name, value };
    }
    case 'WORKDIR':
      return { kind: 'workdir', path: rest };
    case 'USER':
      return { kind: 'user', user: rest };
    default:
      return undefined;
  }
}

/** Returns whether the instruction is known. */
function set(settings: ImageSettings, instruction: string, rest: string): boolean {
  switch (instruction) {
    case 'VOLUME':
      settings.volume = rest;
      return true;
    case 'EXPOSE':
      settings.port = Number(rest);
      return true;
    case 'ENTRYPOINT':
      settings.entrypoint = JSON.parse(rest);
      return true;
    case 'CMD':
      settings.command = JSON.parse(rest);
      return true;
    case 'HEALTHCHECK':
      settings.healthcheck = JSON.parse(rest.slice(rest.indexOf('CMD ') + 'CMD '.length));
      return true;
    default:
      return false;
  }
}
