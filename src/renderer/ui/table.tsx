import type { ReactNode } from 'react';

/** A column's label; `r` for numbers, `vh` for a label that is only read out; the title says more. */
export type ColumnHead = string | readonly [label: string, look?: string | undefined, title?: string];

/** The head of a table. */
export function TableHead({ heads, className }: { heads: readonly (ColumnHead | false)[]; className?: string }) {
  return (
    <thead className={className}>
      <tr>
        {heads
          .filter((head) => head !== false)
          .map((head) => {
            const [label, look, title] = typeof head === 'string' ? [head] : head;
            const isSpoken = look === 'vh';
            return (
              <th scope="col" key={label} className={isSpoken ? undefined : look} title={title}>
                {isSpoken ? <span className="vh">{label}</span> : label}
              </th>
            );
          })}
      </tr>
    </thead>
  );
}

/** A figure under its name, with a note below; `odd` is not explained yet. Several are in a `figbar`. */
export function Figure(props: { name: string; value: ReactNode; className?: string | undefined; children: ReactNode }) {
  return (
    <div className={props.className}>
      <dt>{props.name}</dt>
      <dd>{props.value}</dd>
      <dd className="t3 cut">{props.children}</dd>
    </div>
  );
}
