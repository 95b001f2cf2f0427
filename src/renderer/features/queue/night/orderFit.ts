import { useEffect, useState } from 'react';
import type { Nano } from '../../../../shared/money.ts';
import type { DryRun } from '../../../../shared/night.ts';
import { type NightOrder, type OrderedJob, useNightOrder } from '../../../spending/index.ts';

/** What the order that came along would add to the night: the jobs that fit under its cap, and those that do not. */
export interface OrderFit {
  fits: readonly OrderedJob[];
  unfit: readonly OrderedJob[];
  nano: Nano;
  lowNano: Nano;
  unpriced: number;
}

/** In the order of the queue, behind what is in the night already. A cap lets nothing go whose price is not known. */
export function fitUnder(jobs: readonly OrderedJob[], { capLeftNano, capReading }: RoomOfNight): OrderFit {
  let room = capLeftNano;
  const fits: OrderedJob[] = [];
  const unfit: OrderedJob[] = [];
  for (const job of jobs) {
    const amount = capReading === 'low' ? job.lowNano : job.nano;
    const isFit = !job.unpriced && amount <= room;
    (isFit ? fits : unfit).push(job);
    if (isFit) room -= amount;
  }
  const sum = (amount: (job: OrderedJob) => number) => fits.reduce((total, job) => total + amount(job), 0);
  return { fits, unfit, nano: sum(({ nano }) => nano), lowNano: sum(({ lowNano }) => lowNano), unpriced: 0 };
}

type RoomOfNight = Pick<DryRun, 'capLeftNano' | 'capReading'>;

/** An order of one job, or one whose jobs cannot be read, is one line. */
const asOne = ({ what, shown }: NightOrder): OrderedJob[] => [
  {
    title: what,
    nano: shown?.estimateNano ?? 0,
    lowNano: shown?.lowNano ?? 0,
    ...(shown === undefined || shown.unpriced > 0 ? { unpriced: true } : {}),
  },
];

/** Undefined while nothing came along, and `reading` until its jobs are known. */
export function useOrderFit(dry: DryRun | undefined): OrderFit | 'reading' | undefined {
  const order = useNightOrder((state) => state.order);
  const [read, setRead] = useState<{ of: NightOrder; jobs: readonly OrderedJob[] }>();
  useEffect(() => {
    if (!order) return;
    let isOver = false;
    void (order.jobs?.() ?? Promise.resolve(undefined)).then((jobs) => {
      if (!isOver) setRead({ of: order, jobs: jobs ?? asOne(order) });
    });
    return () => {
      isOver = true;
    };
  }, [order]);
  if (!order) return undefined;
  return dry && read?.of === order ? fitUnder(read.jobs, dry) : 'reading';
}
