import { together } from '../together';

together('items/items', 'items/credentials', 'items/costs', 'faults/quota');
