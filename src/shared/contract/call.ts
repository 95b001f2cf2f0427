import { z } from 'zod';

/** One call of the contract: query or command, the schema of its input, the type of its answer. */
export interface Call<Kind extends 'query' | 'command', Input extends z.ZodType, Output> {
  kind: Kind;
  input: Input;
  /** Only carries the type. */
  output?: Output;
}

export const query =
  <Output>() =>
  <Input extends z.ZodType>(input: Input): Call<'query', Input, Output> => ({ kind: 'query', input });
export const command =
  <Output>() =>
  <Input extends z.ZodType>(input: Input): Call<'command', Input, Output> => ({ kind: 'command', input });

export const nothing = z.strictObject({});
