-- orders_by_creation finds the orders of a day as well; a second index was written with every order.
drop index orders_by_day;
