/**
 * The descriptions of `colophon endpoint …`.
 */
import { type Command, jsonOption } from '../command.ts';
import { typesOption } from './shared-options.ts';

const options = { ...typesOption, ...jsonOption };

const endpointArgument = { name: '<name or ID>', summary: 'of the REST endpoint' };

const list: Command = {
  name: 'endpoint list',
  examples: ['colophon endpoint list'],
  summary: 'list the REST endpoints',
  options,
  run: async (call) => (await import('../commands/endpoint.ts')).list(call),
};

const show: Command = {
  name: 'endpoint show',
  examples: ['colophon endpoint show news'],
  summary: 'show the draft of a REST endpoint with its mappings',
  arguments: [endpointArgument],
  options,
  run: async (call) => (await import('../commands/endpoint.ts')).show(call),
};

const publish: Command = {
  name: 'endpoint publish',
  examples: ['colophon endpoint publish news'],
  summary: 'put the draft of a REST endpoint into force, everywhere within a second',
  arguments: [endpointArgument],
  options,
  run: async (call) => (await import('../commands/endpoint.ts')).publish(call),
};

/** The commands about REST endpoints. */
export const endpointCommands = [list, show, publish];
