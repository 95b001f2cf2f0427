export { QueuePage } from './QueuePage.tsx';
