module example.org/shelf

go 1.19
